package dev.baton.lab.study.soak;

/** Something that one service of a soak takes and never gives back, on purpose: a proof that the soak sees it. */
public enum Leak {
    /** 100 KB of heap a second. */
    HEAP,
    /** 1 MB a second of memory outside the heap. */
    DIRECT,
    /** An open file a second. */
    DESCRIPTOR,
    /** A thread a second that does nothing. */
    THREAD,
    /** A file among the queues that grows by 1 MB a second. */
    DISK
}
