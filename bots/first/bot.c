/* Answers the first legal action, in any game, at once: what the runner's own speed is measured with. */

#define _POSIX_C_SOURCE 200809L /* getline */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *text) { return text + strspn(text, " \t\r\n"); }

/* The text from the value of a field of the outermost object on; "" if there is no such field. */
static const char *field(const char *line, const char *name) {
    size_t length = strlen(name);
    int depth = 0;
    for (const char *at = line; *at; at++) {
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (*at != '"') continue;
        const char *text = ++at;
        while (*at && *at != '"') at += at[0] == '\\' && at[1] ? 2 : 1;
        if (!*at) break;
        const char *colon = skip_space(at + 1);
        if (depth == 1 && *colon == ':' && (size_t)(at - text) == length && !memcmp(text, name, length))
            return skip_space(colon + 1);
    }
    return "";
}

static int starts_with(const char *text, const char *start) { return !strncmp(text, start, strlen(start)); }

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *type = field(line, "type");
        if (starts_with(type, "\"hello\"")) puts("{\"type\":\"ready\"}");
        if (starts_with(type, "\"decide\"")) {
            const char *action = strchr(field(line, "legal"), '"');
            if (action) printf("{\"action\":%.*s}\n", (int)strcspn(action + 1, "\"") + 2, action);
        }
        if (starts_with(type, "\"bye\"")) break;
        fflush(stdout);
    }
    free(line);
    return 0;
}
