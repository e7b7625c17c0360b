package dev.baton.lab.page;

/**
 * A figure as people read it.
 *
 * @param hasFewSamples whether fewer than 100 samples lie above it
 */
record Text(String text, boolean hasFewSamples) {
    static final Text NONE = new Text("-", false);

    static Text of(String text) {
        return new Text(text, false);
    }
}
