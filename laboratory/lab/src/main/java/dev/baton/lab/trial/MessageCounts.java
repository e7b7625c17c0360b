package dev.baton.lab.trial;

/** What went in and what came out so far, warm-up included. For any thread at any time. */
public interface MessageCounts {
    long sentCount();

    /** Each message once, however often it came; also those that lead to no output, once a later one has come. */
    long receivedCount();
}
