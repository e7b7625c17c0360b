package dev.baton.lab.study.reproduce;

import java.util.List;

/**
 * A published study and how it is repeated here: the content of a file in {@code resources/studies}. Immutable, thread-safe.
 *
 * @param name as typed
 * @param question what it asked
 * @param source where it was published, and on which machine it was measured
 * @param settings that are kept, a line for each subject
 * @param deviations what is not as it was there, and what follows from that
 * @param steps what is run, in this order
 */
record PublishedStudy(
        String name,
        String question,
        String source,
        List<String> settings,
        List<String> deviations,
        List<Step> steps) {}
