package dev.baton.simulation;

/** A violated guarantee. Immutable. */
record Violation(Rule rule, String text, Throwable cause) {
    @Override
    public String toString() {
        return rule + " (" + rule.meaning + "): " + text + (cause == null ? "" : "; " + cause);
    }
}
