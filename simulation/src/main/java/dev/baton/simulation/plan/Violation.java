package dev.baton.simulation.plan;

/** A violated guarantee. Immutable. */
public record Violation(Rule rule, String text, Throwable cause) {
    @Override
    public String toString() {
        return rule + " (" + rule.meaning + "): " + text + (cause == null ? "" : "; " + cause);
    }
}
