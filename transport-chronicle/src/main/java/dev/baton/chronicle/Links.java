package dev.baton.chronicle;

/** The treatment of a symbolic link in the place of a directory that holds topics, or of a topic. */
public enum Links {
    /** Refuses the link: a program that can create one there would decide where messages are written, and read from. */
    REFUSE,
    /** Uses the directory that it points to. Deleting such a topic removes the link, and leaves that directory. */
    FOLLOW
}
