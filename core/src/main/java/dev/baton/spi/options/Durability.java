package dev.baton.spi.options;

/**
 * The failures that a message survives once it is reported as stored. As far as one host fails at a time, each class
 * includes those before it. A transport names the classes that it has in its option {@value #OPTION}, and refuses the
 * others.
 */
public enum Durability {
    /** None: topics end with the process or the media driver that has them. */
    MEMORY,
    /** The end of every process. */
    PROCESS,
    /** The power failure of a host. */
    HOST,
    /** The loss of a host: another one has a copy. */
    REPLICATED;

    /** The name of the option. */
    public static final String OPTION = "durability";

    /** The option of a transport whose only class is {@link #MEMORY}. */
    public static final Option<String> MEMORY_ONLY = Option.text(
                    OPTION,
                    "memory",
                    "memory, as the topics of this transport lie in no file",
                    "what stored messages survive: nothing; they are lost with the process or the media driver that holds them")
            .where("memory"::equals);
}
