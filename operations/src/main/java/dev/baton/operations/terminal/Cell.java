package dev.baton.operations.terminal;

/** One field of a {@link Table}. */
public record Cell(String text, Tone tone) {
    public static Cell of(String text) {
        return new Cell(text, Tone.PLAIN);
    }

    public static Cell of(String text, Tone tone) {
        return new Cell(text, tone);
    }
}
