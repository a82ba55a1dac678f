"""The tournament runner: bot processes, matches, schedules, the store, ratings and the command line."""
