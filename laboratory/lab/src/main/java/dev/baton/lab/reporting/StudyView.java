package dev.baton.lab.reporting;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.terminal.Cell;
import java.util.List;
import java.util.function.Function;

/** The presentation of a study's trials, on a terminal and on a page: a role of its kind. Stateless, thread-safe. */
public interface StudyView extends StudyKind {
    /** The view of this study; studies without one are shown as chains are. */
    static StudyView of(Study study) {
        return StudyKind.in(StudyView.class, study)
                .or(() -> StudyKind.in(StudyView.class, Study.CHAINS))
                .orElseThrow(() -> new IllegalStateException("no kind of study presents " + study));
    }

    /** The view of the study of this name, or that of chains. */
    static StudyView named(String name) {
        return StudyKind.all(StudyView.class).stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseGet(() -> of(Study.CHAINS));
    }

    /**
     * {@return the question}
     *
     * @param trials one or more
     */
    String title(List<TrialResult> trials);

    /** {@return the figures by which its trials are compared, most important first} */
    List<Figure> figures();

    /** Sentences that come before the figures in a headline. */
    default List<String> answers(List<TrialResult> trials) {
        return List.of();
    }

    /** Sentences that come after the figures in a headline. */
    default List<String> remarks(List<TrialResult> trials) {
        return List.of();
    }

    /**
     * The position of a trial in the chart of latency over throughput. Immutable, thread-safe.
     *
     * @param series common part of the trials that differ only in throughput
     * @param itemsPerSecond requested throughput
     * @param unit of the throughput, for a person
     * @param percentile that is shown over it
     * @param limits that are drawn where they bound the percentile of the chart
     */
    record Throughput(String series, double itemsPerSecond, String unit, double percentile, List<Limit> limits) {}

    /** {@return the position of a trial; null for none} */
    default Throughput throughput(TrialResult trial) {
        return null;
    }

    /**
     * A table of a page, beside that of the figures which all studies have. Immutable, thread-safe.
     *
     * @param headings of its columns, that of the rows' names included
     * @param rows whose first cell is a name
     * @param notes below it
     */
    record FurtherTable(String caption, List<String> headings, List<List<Cell>> rows, List<String> notes) {}

    /** {@return tables of what only trials of this study have} */
    default List<FurtherTable> tables(List<TrialResult> trials, Function<TrialResult, String> name) {
        return List.of();
    }

    /** {@return published figures in that chart: pairs of items per second and nanoseconds} */
    default List<PublishedSeries> publishedThroughput() {
        return List.of();
    }

    /** {@return published figures about this question} */
    default List<PublishedSeries> published(TrialPlan plan) {
        return List.of();
    }
}
