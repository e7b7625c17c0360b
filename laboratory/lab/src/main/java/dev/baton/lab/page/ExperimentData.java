package dev.baton.lab.page;

import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.results.Grade;
import java.util.List;

/**
 * One experiment as a page shows it. Immutable, thread-safe.
 *
 * @param name of its folder
 * @param asked what it asked
 * @param answers what came of it
 * @param command as typed
 * @param origin when, from which source, with which seed
 * @param machine in one line, with what its figures are worth
 * @param runs what carried the messages, and for which trials
 * @param grade of the machine; null when it was not taken
 * @param environment all that is known of it
 * @param ledger what each transport promised
 * @param matrix null when it was none
 * @param missing trials that left no result
 * @param complaints of the reader
 * @param files beside the results
 */
record ExperimentData(
        String name,
        String asked,
        List<String> answers,
        String command,
        List<Facts.Fact> origin,
        String machine,
        List<Facts.Fact> runs,
        Grade grade,
        List<Facts.Fact> environment,
        List<Promise> ledger,
        Grid matrix,
        List<String> missing,
        List<String> complaints,
        List<Link> files) {

    /** What a transport promised to these trials. */
    record Promise(List<String> names, List<String> guarantees, List<Facts.Fact> facts) {}

    /** A file. @param href relative to the page */
    record Link(String name, String href) {}

    /** Beside what was measured here, by the axis that it belongs to. */
    record Elsewhere(String title, List<PublishedSeries> percentiles, List<PublishedSeries> capacity) {}
}
