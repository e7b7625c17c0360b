package dev.baton.lab.results;

/**
 * When a trial ran, and how long each phase took.
 *
 * @param startedAt ISO-8601, UTC; the one wall-clock time, no measurement uses it
 * @param openNanos until every instance was ready to send
 * @param warmupNanos as lived
 * @param measureNanos as lived; shorter than planned when interrupted
 * @param drainNanos from the last slot until the last message arrived or the deadline passed
 * @param closeNanos until threads, files and topics were released
 */
public record Span(
        String startedAt, long openNanos, long warmupNanos, long measureNanos, long drainNanos, long closeNanos) {}
