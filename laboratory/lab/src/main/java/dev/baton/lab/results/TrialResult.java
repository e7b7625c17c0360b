package dev.baton.lab.results;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.data.TrialEnvironment;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of one trial: the content of a {@code trial.json}. Immutable, thread-safe.
 *
 * @param schema {@value #SCHEMA} for files written by this version; readers refuse a newer one
 * @param plan of the trial, without secrets
 * @param place of its execution; of several processes the first one's
 * @param outcome the verdict with its reasons
 * @param transport its guarantees
 * @param span time and duration of each phase
 * @param rate requested and achieved
 * @param delivery every message accounted for, all instances together
 * @param response from the slot to the receipt: the headline
 * @param service from the actual send to the receipt
 * @param sendDelay from the slot to the actual send, the lateness of the generator
 * @param instances the instances with the worst response times or faulty deliveries, worst first; not all of them
 * @param machine use by the JVM, the broker and the host during the measurement; null when it never began
 * @param timeline one entry per second of the measurement
 * @param environment of the trial
 * @param hlog name of the interval log in the same folder; null when there is none, as for several processes, each of which has its own
 * @param findings of the plan's study; null when it measured chains
 * @param histograms in whole; null in files of earlier versions
 * @param explanation causes of the slow messages; null in files of earlier versions
 * @param elsewhere the processes that ran services of this trial and were not started for it
 */
public record TrialResult(
        int schema,
        TrialPlan plan,
        Place place,
        Outcome outcome,
        TransportProperties transport,
        Span span,
        Rate rate,
        Delivery delivery,
        Latency response,
        Latency service,
        Latency sendDelay,
        List<InstanceFigures> instances,
        Machine machine,
        List<Second> timeline,
        TrialEnvironment environment,
        String hlog,
        Findings findings,
        Histograms histograms,
        Explanation explanation,
        List<RemoteProcess> elsewhere) {

    /** The version of the schema; raised when a reader of the previous version would misread a file. */
    public static final int SCHEMA = 1;

    /** Share of its rate below which a trial fails by it. */
    private static final double KEPT_RATE = 0.999;

    public TrialResult {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(outcome, "outcome");
        response = response == null || service == null ? response : response.comparedWith(service);
        instances = instances == null ? List.of() : List.copyOf(instances);
        timeline = timeline == null ? List.of() : List.copyOf(timeline);
        elsewhere = elsewhere == null ? List.of() : List.copyOf(elsewhere);
    }

    /** The instance with the highest p99.9; empty when nothing was recorded. */
    public Optional<InstanceFigures> worstInstance() {
        return instances.stream()
                .filter(each -> each.p999Nanos() != null)
                .max(Comparator.comparing(InstanceFigures::p999Nanos));
    }

    /**
     * Checks that it is complete.
     *
     * @throws IOException that names a missing part
     */
    void requireWhole() throws IOException {
        Map<String, Object> needed = new LinkedHashMap<>();
        needed.put("place", place);
        needed.put("transport", transport);
        needed.put("span", span);
        needed.put("rate", rate);
        needed.put("delivery", delivery);
        needed.put("response", response);
        needed.put("service", service);
        needed.put("sendDelay", sendDelay);
        needed.put("environment", environment);
        for (Map.Entry<String, Object> each : needed.entrySet()) {
            if (each.getValue() == null) {
                throw new IOException("it has no '" + each.getKey() + "'");
            }
        }
    }

    /**
     * {@return whether the verdict rests on percentiles with fewer samples above them than a figure needs that decides} A
     * failure by the rate, by faulty deliveries or by a chain that stopped does not.
     */
    public boolean isProvisional() {
        boolean isFailedOtherwise =
                !isRateKept() || !delivery.isFaultless() || outcome.stop().isPresent();
        boolean isByPercentiles =
                outcome.verdict() == Verdict.PASS || outcome.verdict() == Verdict.FAIL && !isFailedOtherwise;
        return isByPercentiles && plan.limits().stream().anyMatch(limit -> limit.leastSamples() < Limit.ENOUGH_SAMPLES);
    }

    /** {@return whether each instance carried the requested rate, to a thousandth} */
    public boolean isRateKept() {
        return rate.worstShare() >= KEPT_RATE;
    }

    /** Returns the result with the reports of processes elsewhere. */
    public TrialResult with(List<RemoteProcess> processes) {
        return with(outcome, findings, hlog, histograms, processes);
    }

    /** Returns this result with another verdict. */
    public TrialResult with(Outcome other, Findings found) {
        return with(other, found, hlog, histograms, elsewhere);
    }

    /** Returns the result without its interval log, if that is incomplete. */
    TrialResult withoutLog() {
        return with(outcome, findings, null, histograms, elsewhere);
    }

    /** Returns this result without its histograms, which cannot be decoded. */
    TrialResult withoutHistograms() {
        return with(outcome, findings, hlog, null, elsewhere);
    }

    private TrialResult with(
            Outcome verdict, Findings found, String log, Histograms whole, List<RemoteProcess> processes) {
        return new TrialResult(
                schema,
                plan,
                place,
                verdict,
                transport,
                span,
                rate,
                delivery,
                response,
                service,
                sendDelay,
                instances,
                machine,
                timeline,
                environment,
                log,
                found,
                whole,
                explanation,
                processes);
    }

    /**
     * CPU time of the JVM, without that of instruments and of a generator with a thread of its own, and of the broker where there is
     * one, over wall time; null: unknown.
     */
    public Double cpuCores() {
        Double chains = machine == null ? null : machine.chainCpuCores();
        if (chains == null) {
            return null;
        }
        Double broker = machine.brokerCpuCores();
        return chains + (broker == null ? 0 : broker);
    }

    /** CPU time, the broker's included, of each topic that a message crossed; null: not known. */
    public Double cpuNanosPerHop() {
        return nanosPerHop(cpuCores());
    }

    /** Wall time for each topic that a message crossed; null when none did. */
    public Double wallNanosPerHop() {
        return nanosPerHop(1.0);
    }

    private Double nanosPerHop(Double ofSecond) {
        double hops = rate.achievedPerSecond() * (plan.shape().services() + 1);
        return ofSecond == null || hops == 0 ? null : Double.valueOf(ofSecond * 1e9 / hops);
    }

    /**
     * The times of a trial and of its phases.
     *
     * @param startedAt ISO-8601, UTC; the one wall-clock time, no measurement uses it
     * @param openNanos until every instance was ready to send
     * @param warmupNanos actual duration
     * @param measureNanos actual duration; shorter than planned when interrupted
     * @param drainNanos from the last slot until the last message arrived or the deadline passed
     * @param closeNanos until threads, files and topics were released
     */
    public record Span(
            String startedAt, long openNanos, long warmupNanos, long measureNanos, long drainNanos, long closeNanos) {}
}
