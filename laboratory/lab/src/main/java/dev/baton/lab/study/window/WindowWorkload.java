package dev.baton.lab.study.window;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Judge;
import dev.baton.lab.trial.TrialChains;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.TransportProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

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
    private WindowStudy.WindowFindings findings; // null until judged

    private WindowWorkload(Instruments instruments, WindowStudy study, TrialChains chains) {
        this.instruments = instruments;
        this.chains = chains;
        plan = instruments.plan();
        this.study = study;
        facts = chains.properties();
        board = new StepBoard(plan.shape().instances(), Math.toIntExact(WindowHeap.steps(study, plan.phases())));
        responses = new InstanceHistogram(instruments.highestNanos());
        String name = Spread.uniqueChain();
        for (int i = 0; i < plan.shape().instances(); i++) {
            JobPart part =
                    new JobPart(i, plan, study, instruments.window(), instruments.recorders(), board, NanoClock.SYSTEM);
            parts.add(part);
            plans.add(Chain.named(name).then(SERVICE, () -> part.service).build());
        }
    }

    /** Over the transport that the plan names. */
    static WindowWorkload open(Instruments instruments, WindowStudy study) {
        TrialChains chains = TrialChains.open(instruments.trial());
        try {
            return new WindowWorkload(instruments, study, chains);
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

    /**
     * Settles the job after its threads have ended. The account is of items: events on their way in, results on their way out. A step that was
     * not complete by the deadline is charged as if it had begun and been completed then. Only items that a chain at rest has not delivered are
     * lost: items that came late, or wait for emission, were not drained.
     *
     * <p>The rate is that of items, too: the requested ones are the events and the keys of every measured step, the achieved ones those of the
     * steps that were complete at the end of the measurement, with a tolerance of the window's grace or one step. Confined to one thread.
     */
    static final class WindowAccounting {
        private static final int MOST_INCIDENTS = 50;
        private static final double NANOS = 1e9;

        private final List<JobPart> parts;
        private final Window window;
        private final WindowStudy study;
        private final StepBoard board;
        private final IntPredicate isDrained;
        private final EventSource.EventSchedule schedule; // null when the window has not started
        private final int first;
        private final int last;

        WindowAccounting(
                List<JobPart> parts, Window window, WindowStudy study, StepBoard board, IntPredicate isDrained) {
            this.parts = parts;
            this.window = window;
            this.study = study;
            this.board = board;
            this.isDrained = isDrained;
            schedule = window.isStarted() ? parts.get(0).schedule() : null;
            first = schedule == null ? 1 : schedule.stepsUntil(window.measureNanos()) + 1;
            last = schedule == null ? 0 : schedule.stepsUntil(window.endNanos());
        }

        /** Enters what never arrived, and adds up. Once. */
        FinalCounts settle(LatencyHistograms charged, InstanceHistogram responses) {
            for (int step = first; step <= last; step++) {
                if (!board.isDone(step)) {
                    charged.recordResponse(begunNanos(step));
                }
                if (!board.isAnnounced(step)) {
                    charged.recordSendDelay(leftNanos(step));
                }
                responses.record(begunNanos(step));
            }
            return new FinalCounts(delivery(), rate(), List.of());
        }

        private Delivery delivery() {
            long sent = sum(JobPart::sentItems);
            long delivered = sum(JobPart::deliveredItems);
            long lost = parts.stream()
                    .filter(part -> isDrained.test(part.index) && !part.service.state.isEmitting())
                    .mapToLong(part -> part.sentItems() - part.deliveredItems() - part.sink.late)
                    .sum();
            List<Incident> incidents = parts.stream()
                    .flatMap(part -> part.sink.incidents.stream())
                    .limit(MOST_INCIDENTS)
                    .toList();
            return new Delivery(
                    sent,
                    delivered,
                    lost,
                    sent - delivered - lost,
                    sum(part -> part.sink.duplicated),
                    sum(part -> part.sink.reordered),
                    sum(part -> part.sink.corrupted),
                    schedule == null ? 0 : sum(this::unsentItems),
                    incidents,
                    0);
        }

        private long unsentItems(JobPart part) {
            long due = part.schedule().eventsBefore(window.endNanos());
            long watermarks = Math.max(0, last - part.source.announced);
            return Math.max(0, due - part.source.sent.count()) + watermarks * part.keys.keys();
        }

        private Rate rate() {
            long asked = 0;
            long achieved = 0;
            long graceNanos = Math.max(window.graceNanos(), study.stepNanos());
            for (int step = first; step <= last; step++) {
                long items = items(step);
                asked += items;
                if (board.isDone(step) && endNanos(step) + doneNanos(step) - window.endNanos() <= graceNanos) {
                    achieved += items;
                }
            }
            double seconds = Math.max(0, last - first + 1) * study.stepNanos() / NANOS;
            double share = asked == 0 ? 1 : achieved / (double) asked;
            return new Rate(seconds == 0 ? 0 : asked / seconds, seconds == 0 ? 0 : achieved / seconds, share, share, 1);
        }

        private long items(int step) {
            return study.keys() + sum(part -> part.schedule().eventsIn(step));
        }

        private long sum(ToLongFunction<JobPart> figure) {
            return parts.stream().mapToLong(figure).sum();
        }

        StepFigures.Steps steps() {
            return new StepFigures.Steps(first, last, this::endNanos, this::begunNanos, this::doneNanos);
        }

        private long endNanos(int step) {
            return schedule.endOf(step);
        }

        private long begunNanos(int step) {
            return board.isDone(step) ? board.begunNanos(step) : leftNanos(step);
        }

        private long doneNanos(int step) {
            return board.isDone(step) ? board.doneNanos(step) : leftNanos(step);
        }

        private long leftNanos(int step) {
            return window.deadlineNanos() - endNanos(step);
        }
    }
}
