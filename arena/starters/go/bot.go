// Plays any legal action by chance; choose is where yours begins to think.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

// fields are those of a JSON object, decoded when asked for. A struct would also take "Type" for "type".
type fields map[string]json.RawMessage

// read decodes a field into what value points to; where there is no such field, it leaves that as it is.
func (object fields) read(name string, value any) {
	if raw, found := object[name]; found {
		_ = json.Unmarshal(raw, value)
	}
}

// choose may know what is in the field "observation", which can be read into a variable of the type fields.
func choose(message fields, random *rand.Rand) string {
	var legal []string
	message.read("legal", &legal)
	return legal[random.Intn(len(legal))]
}

func say(answer map[string]string) {
	line, _ := json.Marshal(answer)
	fmt.Println(string(line)) // Go keeps no buffer for stdout, so there is nothing to flush
}

func main() {
	random := rand.New(rand.NewSource(0))
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n') // however long; a Scanner would give up at 64 KiB
		if err != nil {
			return
		}
		var message fields
		var kind string
		var seed int64
		_ = json.Unmarshal(line, &message)
		message.read("type", &kind)
		message.read("seed", &seed)
		switch kind {
		case "hello":
			say(map[string]string{"type": "ready"})
		case "start":
			random.Seed(seed)
		case "decide":
			say(map[string]string{"action": choose(message, random)})
		case "bye":
			return
		}
	}
}
