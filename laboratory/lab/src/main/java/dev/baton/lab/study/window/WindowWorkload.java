package dev.baton.lab.study.window;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Judge;
import dev.baton.lab.trial.TrialChains;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.TransportProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sliding-window job: for each part a chain of one service between its source and its sink, all on the same loops.
 */
public final class WindowWorkload implements Workload {
    /** A topic's worth in one turn of service and sink: each turn then pays once for what turns cost. */
    private static final int BATCH = 1024;

    private static final String SERVICE = "window";

    private final Instruments instruments;
    private final TrialPlan plan;
    private final WindowStudy study;
    private final TrialChains chains;
    private TransportProperties facts;
    private final StepBoard board;
    private final List<JobPart> parts = new ArrayList<>();
    private final List<Chain> plans = new ArrayList<>();
    private final InstanceHistogram responses;
    private WindowAccounting accounting; // null until settled
    private WindowFindings findings; // null until judged

    private WindowWorkload(Instruments instruments, TrialChains chains) {
        this.instruments = instruments;
        this.chains = chains;
        plan = instruments.plan();
        study = (WindowStudy) plan.study();
        facts = chains.properties();
        board = new StepBoard(plan.shape().instances(), Math.toIntExact(WindowHeap.steps(study, plan.phases())));
        responses = new InstanceHistogram(instruments.highestNanos());
        String name = Spread.uniqueChain();
        for (int i = 0; i < plan.shape().instances(); i++) {
            JobPart part = new JobPart(i, plan, instruments.window(), instruments.recorders(), board, NanoClock.SYSTEM);
            parts.add(part);
            plans.add(Chain.named(name).then(SERVICE, () -> part.service).build());
        }
    }

    /** Over the transport that the plan names. */
    public static WindowWorkload open(Instruments instruments) {
        TrialChains chains = TrialChains.open(instruments.trial());
        try {
            return new WindowWorkload(instruments, chains);
        } catch (RuntimeException | Error failure) {
            chains.close();
            throw failure;
        }
    }

    @Override
    public TransportProperties properties() {
        return facts;
    }

    @Override
    public int size() {
        return parts.size();
    }

    @Override
    public void prepare() {
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < plans.size(); i++) {
            for (int topic = 0; topic < plans.get(i).hops(); topic++) {
                topics.add(plans.get(i).topic(i, topic));
            }
        }
        chains.createTopics(topics);
        facts = chains.properties(); // some are known of topics alone
    }

    @Override
    public void start(int index) {
        JobPart part = parts.get(index);
        // a window that cannot end yet refuses its watermark, as often as need be; anything else stops the chain
        chains.start(
                plans.get(index),
                index,
                deployment -> deployment
                        .from(part.source)
                        .onOutput(part.sink)
                        .onError(ErrorPolicy.retry(Integer.MAX_VALUE))
                        .batch(BATCH));
    }

    /** Items: events sent, and results due. */
    @Override
    public long sentCount() {
        return parts.stream().mapToLong(JobPart::sentItems).sum();
    }

    /** Items: events counted, and results received. */
    @Override
    public long receivedCount() {
        return parts.stream().mapToLong(JobPart::deliveredItems).sum();
    }

    @Override
    public boolean isDone() {
        return parts.stream().allMatch(JobPart::isDone);
    }

    @Override
    public Optional<String> failure() {
        return chains.failure().map(failure -> Outcome.stop("part " + failure.instance(), failure.cause()));
    }

    @Override
    public void stop(Duration limit) {
        chains.stop(limit);
    }

    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        accounting = new WindowAccounting(parts, instruments.window(), study, board, chains::isDrained);
        return accounting.settle(charged, responses);
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        findings = new StepFigures(
                        accounting.steps(),
                        study,
                        host,
                        instruments.window().measureNanos(),
                        instruments.highestNanos())
                .findings(WindowHeap.stateBytes(study, plan.load(), parts.size()));
        Judge judge = Judge.of(plan, instruments.window(), host);
        return judge.decide(stopped, interruption, finalCounts, List.of(responses), total.sendDelay());
    }

    @Override
    public Findings findings() {
        return findings;
    }

    @Override
    public void close() {
        chains.close();
    }
}
