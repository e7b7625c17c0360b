package dev.baton.chronicle;

/** What becomes of a symbolic link in the place of a directory that holds topics, or of a topic. */
public enum Links {
    /** An error: a program that can make a link there would decide where messages are written, and read from. */
    REFUSE,
    /** The directory it points to is used. Deleting such a topic removes the link, and leaves what it points to. */
    FOLLOW
}
