/* Plays any legal action by chance; choose() is where yours begins to think. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON is read where it stands: a value is a pointer to its first character, NULL if there is none.
   Names and actions need no escapes, so they are compared and copied as they are, quotes included. */
static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }
static int is(const char *value, const char *text) { return value && !strncmp(value, text, strlen(text)); }

static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++) at += at[0] == '\\' && at[1];
    return at + (*at == '"');
}

/* The first entry of a list, or of an object, which is read as key, value, key, value and so on. */
static const char *first(const char *list) {
    const char *entry = list && (*list == '[' || *list == '{') ? skip_space(list + 1) : "";
    return strchr("]}", *entry) ? NULL : entry;
}

static const char *next(const char *entry) {
    int depth = 0;
    while (entry && *entry && (depth > 0 || !strchr(",:]}", *entry))) {
        depth += (*entry == '{' || *entry == '[') - (*entry == '}' || *entry == ']');
        entry = *entry == '"' ? skip_string(entry) : entry + 1;
    }
    return entry && (*entry == ',' || *entry == ':') ? skip_space(entry + 1) : NULL;
}

static const char *field(const char *object, const char *name) {
    const char *key = first(object);
    while (key && !is(key, name)) key = next(next(key));
    return next(key);
}

/* Of an observation: field(field(message, "\"observation\""), "\"players\""), a number for atoi. */
static const char *choose(const char *message, unsigned long long *random) {
    const char *chosen = NULL, *action = first(field(message, "\"legal\""));
    for (int count = 1; action; action = next(action), count++) { /* the nth takes over with chance 1/n */
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        if ((*random >> 33) % count == 0) chosen = action;
    }
    return chosen;
}

int main(void) {
    unsigned long long random = 0;
    static char *line; /* grows with what is read */
    for (size_t size = 0; getline(&line, &size, stdin) > 0; fflush(stdout)) {
        const char *message = skip_space(line), *type = field(message, "\"type\"");
        if (is(type, "\"hello\"")) puts("{\"type\": \"ready\"}");
        if (is(type, "\"start\"")) random = strtoul(field(message, "\"seed\""), NULL, 10);
        if (is(type, "\"decide\"")) {
            const char *action = choose(message, &random);
            printf("{\"action\": %.*s}\n", (int)(skip_string(action) - action), action);
        }
        if (is(type, "\"bye\"")) return 0;
    }
}
