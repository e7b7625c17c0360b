package dev.baton.operations.terminal;

/** The meaning of a piece of text, independent of the terminal's abilities. */
public enum Tone {
    PLAIN(""),
    /** Stands out: a heading. */
    BOLD("1"),
    /** Not to be relied upon; without colours it stands in parentheses. */
    GREY("2"),
    GOOD("32"),
    WARNING("33"),
    BAD("31");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    /** The ANSI code that selects the tone, empty for none. */
    String code() {
        return code;
    }
}
