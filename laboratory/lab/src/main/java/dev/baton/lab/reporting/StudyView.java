package dev.baton.lab.reporting;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Studies;
import dev.baton.lab.results.TrialResult;
import java.util.List;

/** How the trials of a study are shown, on a terminal and on a page: a role of its kind. Stateless, thread-safe. */
public interface StudyView {
    /** The view of this study; studies without one are shown as chains are. */
    static StudyView of(Study study) {
        return Studies.in(StudyView.class, study)
                .or(() -> Studies.in(StudyView.class, null))
                .orElseThrow(() -> new IllegalStateException("no kind of study shows " + study));
    }

    /** The view of the study of this name; that of the unnamed kind when none has it. */
    static StudyView named(String name) {
        return Studies.all().stream()
                .filter(kind -> kind.name().equals(name) && kind instanceof StudyView)
                .map(StudyView.class::cast)
                .findFirst()
                .orElseGet(() -> of(null));
    }

    /** What was asked. @param trials one or more */
    String title(List<TrialResult> trials);

    /** What its trials are compared by, most important first. */
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
     * Where a trial stands in the chart of latency over throughput. Immutable, thread-safe.
     *
     * @param series what it has in common with the trials that differ in throughput alone
     * @param itemsPerSecond that it was asked to carry
     * @param limits that are drawn where they bound the percentile of the chart
     */
    record Throughput(String series, double itemsPerSecond, List<Limit> limits) {
        /** That of the chart. */
        public static final double PERCENTILE = 99.99;
    }

    /** Where a trial stands; null: nowhere. */
    default Throughput throughput(TrialResult trial) {
        return null;
    }

    /** What others have published in that chart: pairs of items per second and nanoseconds. */
    default List<PublishedSeries> publishedThroughput() {
        return List.of();
    }

    /** What others have published about the same question. */
    default List<PublishedSeries> published(TrialPlan plan) {
        return List.of();
    }
}
