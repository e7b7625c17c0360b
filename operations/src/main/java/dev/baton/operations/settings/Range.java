package dev.baton.operations.settings;

/** The one wording for a number that is out of its range. */
public final class Range {
    private Range() {}

    public static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is out of range; " + least + " to " + most);
        }
    }
}
