package dev.baton.lab.protocol;

import java.util.List;

/**
 * What the parent left out of the command line of a JVM that is not HotSpot, told to the child as a system property.
 * Stateless, thread-safe.
 */
public final class OmittedFlags {
    private static final String PROPERTY = "baton.lab.omitted";

    private OmittedFlags() {}

    /**
     * The flag that tells the child of them.
     *
     * @param jvm the name of its virtual machine
     * @param omitted one or more
     */
    public static String told(String jvm, List<String> omitted) {
        return "-D" + PROPERTY + "=" + String.join(" ", omitted) + ", which only HotSpot has: this is " + jvm;
    }

    /** In the child: what was left out, and why, in a sentence; null when nothing was. */
    public static String sentence() {
        String omitted = System.getProperty(PROPERTY);
        return omitted == null ? null : "what these flags do, which were omitted: " + omitted;
    }
}
