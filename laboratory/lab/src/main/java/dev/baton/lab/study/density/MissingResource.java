package dev.baton.lab.study.density;

/**
 * What a machine lacks.
 *
 * @param what the limit, as people call it
 * @param needed as a text with its unit
 * @param allowed likewise
 * @param remedy a command that raises it, or another way out
 */
public record MissingResource(String what, String needed, String allowed, String remedy) {
    /** One sentence. */
    public String text(int instances) {
        return String.format(
                java.util.Locale.ROOT,
                "%,d %s need %s %s, there are %s: %s",
                instances,
                instances == 1 ? "instance" : "instances",
                needed,
                what,
                allowed,
                remedy);
    }
}
