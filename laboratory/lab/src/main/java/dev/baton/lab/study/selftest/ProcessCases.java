package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.SelftestPlans.BUILDS;
import static dev.baton.lab.study.selftest.SelftestPlans.CROWDED;
import static dev.baton.lab.study.selftest.SelftestPlans.CROWDED_LITTLE;
import static dev.baton.lab.study.selftest.SelftestPlans.MILLI;
import static dev.baton.lab.study.selftest.SelftestPlans.ROBBED;
import static dev.baton.lab.study.selftest.SelftestPlans.ROBBED_LITTLE;
import static dev.baton.lab.study.selftest.SelftestPlans.STOPPED;
import static dev.baton.lab.study.selftest.SelftestPlans.STOP_LIMIT;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Machine;
import dev.baton.operations.settings.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The cases about processes, and about reference loops. Stateless, thread-safe. */
final class ProcessCases {
    private static final long PROBE_SLEEP_NANOS = 2 * MILLI;
    private static final double[] RATES = {1, 10, 100, 999, 1_000, 4_000, 8_000, 20_000, 1_000_000};

    private ProcessCases() {}

    static List<Case> all() {
        return List.of(
                Case.of(SelftestCase.STOPPED_PROCESS, STOPPED, "SIGSTOP for 300 ms", ProcessCases::stopped),
                Case.of(SelftestCase.HOST_STALL, STOPPED, "SIGSTOP for 300 ms", ProcessCases::excused),
                new Case(SelftestCase.THEFT, List.of(ROBBED, ROBBED_LITTLE), "51 %, 10 % steal", ProcessCases::theft),
                new Case(
                        SelftestCase.NEIGHBOURS,
                        List.of(CROWDED, CROWDED_LITTLE),
                        "76 %, 10 % taken",
                        ProcessCases::neighbours),
                new Case(SelftestCase.TRUNCATED_POLL, List.of(), "1 to 1M msg/s", ProcessCases::pollWaits),
                new Case(SelftestCase.FRESH_JVM, BUILDS.subList(0, 2), "all trials", ProcessCases::freshJvms));
    }

    static List<Check> stopped(TrialEvidence evidence) {
        Prediction response = Prediction.pooled(evidence, Prediction.Of.RESPONSE);
        return List.of(
                response.time(99),
                response.time(99.9),
                response.time(100),
                Prediction.pooled(evidence, Prediction.Of.SEND_DELAY).time("send delay p99", 99),
                response.above("over 100 ms", STOP_LIMIT),
                Check.count("lost", 0, evidence.result().delivery().lost()));
    }

    /**
     * Checks a case whose trial was disturbed from outside, so that it neither passed nor failed. A stop is distinguished from a stall of
     * the host where the kernel counts waits, and the JVM logs its pauses.
     */
    static List<Check> excused(TrialEvidence evidence) {
        Machine machine = evidence.result().machine();
        HostActivity host = machine.host();
        List<HostActivity.Stall> stalls = host == null ? List.of() : host.stalls();
        HostActivity.Stall longest = stalls.isEmpty() ? null : stalls.get(0);
        String cause = longest == null ? "none" : longest.cause().toString();
        boolean isTold = host != null && host.runQueue() != null && machine.gcCount() != null;
        boolean isNamed = longest != null
                && (isTold
                        ? longest.cause() == HostActivity.Cause.STOPPED
                        : longest.cause().isForeign());
        long late = evidence.worstDisturbedNanos() + SelftestFindings.NOTABLE_NANOS;
        long least = evidence.stop().leastNanos();
        Check.Range range = new Check.Range(
                least - PROBE_SLEEP_NANOS, least, evidence.stop().mostNanos() + late);
        return List.of(
                evidence.says("INCONCLUSIVE"),
                evidence.says("instance 1 broke p99<100ms"),
                evidence.says("stalls caused outside the trial explain it"),
                Check.time("longest stall of the host", range, longest == null ? null : longest.nanos()),
                new Check("its cause", isTold ? "STOPPED" : "foreign", cause, isNamed));
    }

    /** A shortfall of 36 % is inconclusive where 57 % of the CPU time was withheld, and fails where it was 12 %. */
    private static List<Check> theft(Map<String, TrialEvidence> all, TestedLaboratory laboratory) {
        TrialEvidence robbed = all.get(ROBBED);
        return List.of(
                robbed.says("at 51 %", "INCONCLUSIVE"),
                robbed.says("at 51 %", "instance 1 reached "),
                robbed.says("at 51 %", "the host withheld 57 % of the CPU time"),
                all.get(ROBBED_LITTLE).says("at 10 %", "FAIL: instance 1 reached "));
    }

    /** A shortfall of 36 % is inconclusive where other processes took 76 % of the CPU time, and fails where it was 10 %. */
    private static List<Check> neighbours(Map<String, TrialEvidence> all, TestedLaboratory laboratory) {
        TrialEvidence crowded = all.get(CROWDED);
        return List.of(
                crowded.says("at 76 %", "INCONCLUSIVE"),
                crowded.says("at 76 %", "instance 1 reached "),
                crowded.says("at 76 %", "other processes took 76 % (0.76 cores) of the CPU time"),
                all.get(CROWDED_LITTLE).says("at 10 %", "FAIL: instance 1 reached "));
    }

    /** A consumer truncates what it is asked to wait to milliseconds: anything below one is no wait at all. */
    private static List<Check> pollWaits(Map<String, TrialEvidence> none, TestedLaboratory laboratory) {
        List<Check> checks = new ArrayList<>();
        for (double rate : RATES) {
            Duration wait = laboratory.kafkaPollWait(reference(rate));
            boolean isHonest = wait.toMillis() >= 1 && wait.toNanos() % MILLI == 0;
            checks.add(new Check("at " + (long) rate + " msg/s", ">= 1 ms", wait.toNanos() / 1_000 + " us", isHonest));
        }
        return checks;
    }

    private static TrialPlan reference(double rate) {
        return SelftestPlans.named(STOPPED)
                .about(new Subject(Subject.REFERENCE, "kafka", Map.of()))
                .under(new Load(rate, Load.Arrivals.EVEN, 1));
    }

    private static List<Check> freshJvms(Map<String, TrialEvidence> all, TestedLaboratory laboratory) {
        List<Check> checks = new ArrayList<>();
        long processes = all.values().stream()
                .map(each -> each.witness().pid())
                .filter(pid -> pid != laboratory.pid())
                .distinct()
                .count();
        checks.add(Check.count("processes", all.size(), processes));
        all.forEach((id, each) -> {
            List<String> foreign = each.witness().foreignClasses();
            String some = foreign == null
                    ? "this JVM does not report it"
                    : foreign.stream().limit(3).collect(Collectors.joining(", "));
            String found = some.isEmpty() ? "none" : some;
            boolean isClean = foreign == null || foreign.isEmpty();
            checks.add(new Check("classes of other transports in " + id, "none", found, isClean));
        });
        return checks;
    }
}
