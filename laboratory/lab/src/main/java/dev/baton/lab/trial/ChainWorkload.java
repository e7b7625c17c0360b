package dev.baton.lab.trial;

import dev.baton.Service;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Outcome;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Chains, each with a generator before it and a receiver behind it. */
public class ChainWorkload implements Workload {
    private final Instruments instruments;
    private final ChainRig rig;
    private final TransportProperties facts;
    private final Instances all;

    /** Over a rig, which is closed with it. */
    public ChainWorkload(Instruments instruments, ChainRig rig) {
        this(instruments, rig, ArrivalListener.NONE);
    }

    /**
     * The same with one who is told of every arrival.
     *
     * @param listener of all instances; called by whichever thread receives
     */
    public ChainWorkload(Instruments instruments, ChainRig rig, ArrivalListener listener) {
        this.instruments = instruments;
        this.rig = rig;
        facts = rig.properties();
        List<Instance> instances = new ArrayList<>();
        for (int i = 0; i < instruments.plan().shape().instances(); i++) {
            instances.add(Instance.of(
                    instruments.plan(),
                    i,
                    instruments.window(),
                    NanoClock.SYSTEM,
                    instruments.recorders(),
                    instruments.highestNanos(),
                    listener));
        }
        all = new Instances(instances);
    }

    /** Over Baton's engine and a transport that is not found by name, which is closed with it. */
    protected ChainWorkload(Instruments instruments, Transport transport) {
        this(
                instruments,
                BatonRig.over(instruments, TrialChains.over(instruments.plan(), () -> transport), BatonRig.FORWARDING));
    }

    /** Over the engine that the plan names. */
    public static ChainWorkload open(Instruments instruments) {
        return over(Transports.rig(instruments), rig -> new ChainWorkload(instruments, rig));
    }

    /** Baton's engine with services of these instead of those that forward. */
    protected static ChainRig rig(Instruments instruments, Supplier<Service> services) {
        return BatonRig.open(instruments, services);
    }

    /** What is made of a rig, which is closed when that fails. */
    protected static <W> W over(ChainRig rig, Function<ChainRig, W> maker) {
        try {
            return maker.apply(rig);
        } catch (RuntimeException | Error failure) {
            rig.close();
            throw failure;
        }
    }

    @Override
    public TransportProperties properties() {
        return facts;
    }

    @Override
    public int size() {
        return all.size();
    }

    @Override
    public void prepare() {
        rig.prepare(all.size());
    }

    @Override
    public void start(int part) {
        rig.start(ends(all.instances().get(part)));
    }

    /** The ends of an instance as the rig gets them. */
    protected ChainEnds ends(ChainEnds instance) {
        return instance;
    }

    @Override
    public long sentCount() {
        return all.sentCount();
    }

    @Override
    public long receivedCount() {
        return all.receivedCount();
    }

    /** When the first message arrived, on the trial's clock; empty before. For any thread. */
    public OptionalLong firstArrivalNanos() {
        return all.instances().stream()
                .mapToLong(each -> each.receiver().firstNanos())
                .filter(nanos -> nanos != 0)
                .min();
    }

    @Override
    public boolean isDone() {
        return all.isDone();
    }

    @Override
    public Optional<String> failure() {
        return rig.failure().map(failure -> Outcome.stop("instance " + failure.instance(), failure.cause()));
    }

    @Override
    public void stop(Duration limit) {
        rig.stop(limit);
    }

    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        return new TrialAccounting(all, instruments.window(), this::isAtRest, charged).finalCounts();
    }

    /** A chain that lost its last message is never drained, but nothing comes out of it any more. */
    private boolean isAtRest(int instance) {
        return rig.isDrained(instance)
                || rig.hadTimeToDrain(instance)
                        && all.instances().get(instance).receiver().lateCount() == 0;
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        TrialPlan plan = instruments.plan();
        Judge judge = new Judge(
                plan.limits(),
                instruments.window().measuredNanos(),
                plan.phases().drainNanos(),
                plan.loops().isCooperative(),
                host);
        if (plan.load().isReadFromSend()) {
            judge.fromSend();
        }
        return judge.decide(stopped, interruption, finalCounts.delivery(), finalCounts.rate(), all, total.sendDelay());
    }

    @Override
    public List<Stage> stages() {
        return rig.stages();
    }

    @Override
    public void close() {
        rig.close();
    }
}
