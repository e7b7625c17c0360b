package dev.baton.lab.trial;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.request.Keys;
import dev.baton.lab.request.Sizes;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.lab.trial.ends.CatchUp;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.ProvidedSender;
import dev.baton.lab.trial.ends.Receiver;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.Mix;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Chains, each with a generator before it and a receiver behind it. */
public class ChainWorkload implements Workload {
    private final Instruments instruments;
    private final ChainRig rig;
    private TransportProperties facts;
    private final List<CatchUp> catchUps; // by instance; empty without a backlog
    private final List<Instance> all;

    /** Over a rig, which is closed with it. */
    public ChainWorkload(Instruments instruments, ChainRig rig) {
        this(instruments, rig, null, ArrivalListener.NONE);
    }

    /**
     * Creates the workload of a chain that a jar may provide, with a listener to every arrival.
     *
     * @param provided null for one that forwards
     * @param listener of all instances; called by any receiving thread
     */
    protected ChainWorkload(Instruments instruments, ChainRig rig, ProvidedChain provided, ArrivalListener listener) {
        this.instruments = instruments;
        this.rig = rig;
        facts = rig.properties();
        TrialPlan plan = instruments.plan();
        Sizes sizes = plan.shape().sizes();
        int[] lengths = sizes == null ? null : sizes.lengths(plan.load().seed());
        Instruments.Meters meters = instruments.meters();
        catchUps = plan.load().backlog() == 0
                ? List.of()
                : Stream.generate(() -> new CatchUp(plan.load(), instruments.window(), instruments.highestNanos()))
                        .limit(plan.shape().instances())
                        .toList();
        Keys keys = plan.shape().keys();
        LongFunction<LongToIntFunction> drawing = keys == null ? null : keys.drawing();
        all = IntStream.range(0, plan.shape().instances())
                .mapToObj(i -> Instance.of(
                        provided,
                        plan,
                        i,
                        lengths,
                        drawing == null
                                ? null
                                : drawing.apply(Mix.of(plan.load().seed(), ~i)),
                        meters,
                        catchUps.isEmpty() ? listener : catchUps.get(i)))
                .toList();
    }

    /** Over Baton's engine and a transport that is not found by name, which is closed with it. */
    protected ChainWorkload(Instruments instruments, Transport transport) {
        this(instruments, BatonRig.over(instruments, () -> transport, number -> ForwardingChain.forwarding()));
    }

    /** Over the engine and the chain that the plan names. */
    public static ChainWorkload open(Instruments instruments) {
        return open(
                instruments, (rig, provided) -> new ChainWorkload(instruments, rig, provided, ArrivalListener.NONE));
    }

    /** Opens a workload of another kind. @param maker gets the rig and the chain that a jar provides, or null */
    protected static <W> W open(Instruments instruments, BiFunction<ChainRig, ProvidedChain, W> maker) {
        NamedChain named = instruments.plan().shape().chain();
        ProvidedChain provided = named == null ? null : named.open();
        return over(Transports.rig(instruments, provided), rig -> maker.apply(rig, provided));
    }

    /** Creates an object with a rig, which is closed when that fails. */
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
        facts = rig.properties(); // some are known of topics alone
    }

    @Override
    public void start(int part) {
        rig.start(ends(all.get(part)));
    }

    /** The ends of an instance as the rig gets them. */
    protected ChainEnds ends(ChainEnds instance) {
        return instance;
    }

    @Override
    public long sentCount() {
        return all.stream().mapToLong(each -> each.generator().sentCount()).sum();
    }

    @Override
    public long receivedCount() {
        return all.stream().mapToLong(Instance::passedCount).sum();
    }

    /** {@return the arrival of the first message, on the trial's clock; 0 before} May be called by any thread. */
    protected final long firstArrivalNanos() {
        return receivers()
                .mapToLong(Receiver::firstNanos)
                .filter(nanos -> nanos != 0)
                .min()
                .orElse(0);
    }

    private Stream<Receiver> receivers() {
        return all.stream().flatMap(each -> each.receivers().stream());
    }

    @Override
    public boolean isDone() {
        return all.stream().allMatch(Instance::isDone);
    }

    @Override
    public Optional<String> failure() {
        return rig.failure()
                .map(failure -> Outcome.stop(
                        failure.instance() == 0 ? "an instance" : "instance " + failure.instance(), failure.cause()));
    }

    @Override
    public void stop(Duration limit) {
        rig.stop(limit);
    }

    @Override
    public FinalCounts settle(LatencyHistograms charged) {
        FinalCounts counts = TrialAccounting.settle(all, instruments.window(), this::isAtRest, charged);
        Rate rate = counts.rate()
                .with(Rate.Backlog.slowest(
                        catchUps.stream().map(CatchUp::result).toList()))
                .with(partitions());
        return new FinalCounts(
                counts.delivery(),
                instruments.plan().shape().chain() == null ? rate : rate.with(meanWritingNanos()),
                counts.worstInstances());
    }

    /** Returns the figures of each partition, of all instances together; none of chains without partitions. */
    private List<Rate.Partition> partitions() {
        int count = instruments.plan().shape().partitions();
        return count == 1
                ? List.of()
                : IntStream.range(0, count)
                        .mapToObj(partition -> Rate.Partition.of(
                                partition,
                                InstanceHistogram.sum(all.stream()
                                        .map(each -> each.receiver(partition).responses)
                                        .toList())))
                        .toList();
    }

    /** Returns the average time of the provider of a chain for writing a message; null when none was timed. */
    private Double meanWritingNanos() {
        OptionalDouble mean = all.stream()
                .map(Instance::sender)
                .filter(Objects::nonNull)
                .mapToDouble(ProvidedSender::meanNanos)
                .filter(Double::isFinite)
                .average();
        return mean.isPresent() ? Double.valueOf(mean.getAsDouble()) : null;
    }

    /** A chain that lost its last message is never drained, but nothing comes out of it any more. */
    private boolean isAtRest(int instance) {
        return rig.isDrained(instance)
                || rig.hadTimeToDrain(instance)
                        && all.get(instance).receivers().stream().allMatch(each -> each.lateCount() == 0);
    }

    @Override
    public Outcome judge(
            String stopped, String interruption, FinalCounts finalCounts, LatencyHistograms total, HostActivity host) {
        TrialPlan plan = instruments.plan();
        Judge judge = Judge.of(plan, instruments.window(), host);
        if (plan.load().isReadFromSend()) {
            judge.fromSend();
        }
        Outcome outcome = judge.decideChains(stopped, interruption, finalCounts, all, total.sendDelay());
        return plan.shape().chain() == null ? outcome : Judge.blamingGenerators(outcome, plan, finalCounts.rate());
    }

    @Override
    public List<Long> generatorTasks() {
        return rig.generatorTasks();
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
