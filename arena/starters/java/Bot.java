import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Plays any legal action by chance; choose() is where yours begins to think. */
public final class Bot {
    // The entries of a JSON list, or of an object, which is read as key, value, key, value and so on. Each is
    // its own text. Names and actions need no escapes, so they are compared and copied as they are.
    static List<String> entries(String list) {
        var found = new ArrayList<String>();
        for (int at = 0, begin = 0, depth = 0; at < list.length(); at++) {
            char c = list.charAt(at);
            if (depth == 1 && ",:]}".indexOf(c) >= 0) {
                found.add(list.substring(begin, at).trim());
                begin = at + 1;
            }
            if ((c == '[' || c == '{') && depth++ == 0) begin = at + 1;
            if (c == ']' || c == '}') depth--;
            if (c == '"')
                while (++at < list.length() && list.charAt(at) != '"') if (list.charAt(at) == '\\') at++;
        }
        found.removeIf(String::isEmpty);
        return found;
    }

    static String field(String object, String name) {
        var found = entries(object);
        for (int key = 0; key + 1 < found.size(); key += 2)
            if (found.get(key).equals('"' + name + '"')) return found.get(key + 1);
        return "";
    }

    // What it may know: field(field(message, "observation"), "players"), a number for Integer.parseInt.
    static String choose(String message, SplittableRandom rng) {
        var legal = entries(field(message, "legal"));
        return legal.get(rng.nextInt(legal.size()));
    }

    public static void main(String[] words) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var rng = new SplittableRandom();
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) { // readLine() would end at CR, too
            line.append((char) c);
            if (c != '\n') continue;
            String message = line.toString(), type = field(message, "type");
            line.setLength(0);
            if (type.equals("\"hello\"")) System.out.print("{\"type\": \"ready\"}\n");
            if (type.equals("\"start\"")) rng = new SplittableRandom(Long.parseLong(field(message, "seed")));
            if (type.equals("\"decide\"")) System.out.print("{\"action\": " + choose(message, rng) + "}\n");
            if (type.equals("\"bye\"")) return;
            System.out.flush();
        }
    }
}
