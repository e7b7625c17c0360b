package dev.baton.lab.protocol;

import java.util.List;

/**
 * The flags that the parent omitted from the command line of a JVM that is not HotSpot, passed to the child as a system property.
 * Stateless, thread-safe.
 */
public final class OmittedFlags {
    private static final String PROPERTY = "baton.lab.omitted";

    private OmittedFlags() {}

    /**
     * Returns the flag that passes them to the child.
     *
     * @param jvm the name of its virtual machine
     * @param omitted one or more
     */
    public static String told(String jvm, List<String> omitted) {
        return "-D" + PROPERTY + "=" + String.join(" ", omitted) + ", which only HotSpot has: this is " + jvm;
    }

    /** Returns in the child a sentence with the omitted flags and the reason; null for none. */
    public static String sentence() {
        String omitted = System.getProperty(PROPERTY);
        return omitted == null ? null : "the effects of omitted flags: " + omitted;
    }
}
