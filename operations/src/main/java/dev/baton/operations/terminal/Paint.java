package dev.baton.operations.terminal;

/**
 * Puts tones into text, or leaves them out where they cannot be seen. Immutable, thread-safe.
 *
 * @param isColoured whether ANSI codes may be written
 */
public record Paint(boolean isColoured) {
    /** The text in its tone, as wide on the screen as {@link #plain} returns. */
    public String apply(Tone tone, String text) {
        if (!isColoured || tone == Tone.PLAIN || text.isEmpty()) {
            return plain(tone, text);
        }
        return "\u001b[" + tone.code() + "m" + text + "\u001b[0m";
    }

    /** Returns a text without codes: its length is its width on the screen. */
    public String plain(Tone tone, String text) {
        return tone == Tone.GREY && !isColoured && !text.isEmpty() ? "(" + text + ")" : text;
    }
}
