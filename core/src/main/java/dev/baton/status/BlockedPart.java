package dev.baton.status;

import java.time.Duration;

/**
 * A part whose current call blocks its loop. Immutable, thread-safe.
 *
 * @param name name of the part
 * @param duration lower bound of the time that the call has taken
 */
public record BlockedPart(String name, Duration duration) {}
