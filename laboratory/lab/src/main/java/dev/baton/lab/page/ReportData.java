package dev.baton.lab.page;

import java.util.List;

/**
 * All that a report shows. Immutable, thread-safe.
 *
 * @param points where curves have their values: 1 / (1 - percentile)
 * @param headings of the trials' figures
 * @param series what trials repeat
 * @param remarks on all figures together
 */
record ReportData(
        String title,
        String version,
        List<ExperimentData> experiments,
        List<Double> points,
        List<String> headings,
        List<String> series,
        List<TrialData> trials,
        ExperimentData.Elsewhere elsewhere,
        List<String> remarks) {}
