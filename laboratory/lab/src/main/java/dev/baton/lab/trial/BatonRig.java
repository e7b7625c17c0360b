package dev.baton.lab.trial;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.MessageInterceptor;
import dev.baton.Outlet;
import dev.baton.OutputHandler;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.chains.ProvidedChain;
import dev.baton.lab.request.Keys;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.ClaimingSender;
import dev.baton.lab.trial.ends.GeneratorSource;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.GeneratorThread;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Chains of Baton's, run as in production: services that forward or those of a chain that a jar provides, a source and an output handler on
 * the chains' own loops. Topics have a unique name.
 */
final class BatonRig extends TrialChains implements ChainRig {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);

    private final boolean isSpread; // its services run in other processes
    private final Chain chain;
    private final StageTimes times; // null: nothing is timed
    private final GeneratorThread generators; // null: each chain's loop sends
    private final Keys keys; // null: no keys
    private final int partitions;

    /**
     * Creates a rig.
     *
     * @param isTimed whether stages can be timed: each service sends one message for each input
     */
    private BatonRig(Instruments instruments, Supplier<Transport> transport, Chain chain, boolean isTimed) {
        super(instruments.trial(), transport);
        TrialPlan plan = instruments.plan();
        int oneOf = plan.watching().timesOneOf(plan.shape(), plan.load());
        Spread spread = instruments.trial().place().spread();
        isSpread = spread != null;
        this.chain = chain.renamed(isSpread ? spread.chain() : Spread.uniqueChain());
        boolean isUntimed = !isTimed || oneOf == 0 || chain.services().isEmpty() || isSpread;
        times = isUntimed
                ? null
                : new StageTimes(chain.services(), oneOf, instruments.window(), instruments.highestNanos());
        keys = plan.shape().keys();
        partitions = plan.shape().partitions();
        generators = plan.load().isSentFromThread() ? new GeneratorThread(this::failed) : null;
    }

    /** Whose services are timed as the plan says. @param provided the chain; null for one that forwards */
    static BatonRig open(Instruments instruments, ProvidedChain provided) {
        return provided == null
                ? over(instruments, () -> Transports.open(instruments.trial()), working(instruments.plan()))
                : new BatonRig(
                        instruments,
                        () -> Transports.open(instruments.trial()),
                        provided.chain(),
                        provided.outputs() == ProvidedChain.Outputs.ONE_EACH);
    }

    /** Opens a rig with other services than forwarding ones, or over a transport that is not found by name. */
    static BatonRig over(Instruments instruments, Supplier<Transport> transport, IntFunction<Service> service) {
        int services = instruments.plan().shape().services();
        Chain chain = ForwardingChain.of(ForwardingChain.NAME, services, service);
        return new BatonRig(instruments, transport, chain, true);
    }

    /** Returns services that forward after their work. Instances start one after the other, so that each has its own seed. */
    private static IntFunction<Service> working(TrialPlan plan) {
        if (plan.shape().work().isEmpty()) {
            return number -> ForwardingChain.forwarding();
        }
        AtomicInteger started = new AtomicInteger();
        return number -> {
            int instance = started.getAndIncrement() / plan.shape().services();
            Runnable work = plan.shape().work(number, instance, plan.load().seed());
            return (in, out) -> {
                work.run();
                out.forward(in);
            };
        };
    }

    @Override
    public void prepare(int instances) {
        List<String> topics = new ArrayList<>();
        IntStream.range(0, instances).forEach(instance -> topics.addAll(topics(instance)));
        if (isSpread) {
            createKeptTopics(topics);
            requireConsumed(topics);
        } else {
            createTopics(topics);
        }
    }

    /** {@return the topics in the order of the chain} */
    private List<String> topics(int instance) {
        return IntStream.range(0, chain.hops())
                .mapToObj(index -> chain.topic(instance, index))
                .flatMap(topic -> IntStream.range(0, partitions)
                        .mapToObj(partition -> PartitionTopic.of(topic, partition, partitions)))
                .toList();
    }

    @Override
    public void start(ChainEnds instance) {
        OutputHandler output = instance.receiver() instanceof OutputHandler provided
                ? provided
                : new InstanceOutput(instance.receiver());
        ClaimingSender provided = instance instanceof Instance own ? own.sender() : null;
        ClaimingSender sender = provided == null ? new PatternSender(instance.pattern(), instance.keys()) : provided;
        RunningChain running = start(chain, instance.index(), deployment -> {
            Deployment ends = partitions == 1
                    ? deployment.onOutput(output)
                    : deployment.partitions(partitions).onOutput(() -> new PartitionOutput(instance));
            if (generators == null) {
                ends.from(new GeneratorSource(instance.generator(), sender));
            }
            if (times != null) {
                ends.around(timing());
            }
            return isSpread ? ends.only() : ends;
        });
        if (generators != null) {
            List<Inlet> inlets = partitions == 1
                    ? List.of(running.inlet())
                    : IntStream.range(0, partitions).mapToObj(running::inlet).toList();
            if (sender instanceof PatternSender own && partitions > 1) {
                own.enterBy(inlets, keys.partitioning());
            } else {
                sender.enterBy(inlets.get(0)::tryClaim);
            }
            generators.add(
                    instance.index(),
                    instance.generator(),
                    sender,
                    () -> inlets.forEach(Inlet::sequence), // opens them
                    OPEN_LIMIT);
        }
    }

    @Override
    public List<Long> generatorTasks() {
        return generators == null ? List.of() : List.of(generators.task());
    }

    /** Ends the sending first: what a closing chain refuses is no failure. */
    @Override
    public void stop(Duration limit) {
        if (generators != null) {
            generators.close();
        }
        super.stop(limit);
    }

    private MessageInterceptor timing() {
        List<String> names = chain.services();
        List<TimedPlace> places = new ArrayList<>();
        for (int topic = 0; topic < chain.hops(); topic++) {
            places.add(new TimedPlace(times, topic, topic == 0 ? null : places.get(topic - 1), NanoClock.SYSTEM));
        }
        return (context, next) -> {
            int service = names.indexOf(context.service());
            TimedPlace place = places.get(service < 0 ? names.size() : service); // the output handler is behind all
            return (in, out) -> {
                place.look(in);
                next.onMessage(in, out);
            };
        };
    }

    @Override
    public List<Stage> stages() {
        return times == null ? List.of() : times.stages();
    }

    /** Determines from the topics whether other processes have drained: a service acknowledges a message when its output is stored. */
    @Override
    public boolean isDrained(int instance) {
        return super.isDrained(instance) && (!isSpread || haveConsumed(topics(instance)));
    }

    @Override
    public boolean hadTimeToDrain(int instance) {
        return !isSpread && super.hadTimeToDrain(instance);
    }

    /** Hands what comes out of a chain to its instance's receiver. Confined to the loop of the chain's last topic. */
    private static final class InstanceOutput implements OutputHandler, PayloadPattern.Origin {
        private final MessageSink receiver;
        private Message message;

        InstanceOutput(MessageSink receiver) {
            this.receiver = receiver;
        }

        @Override
        public void onOutput(Message in) {
            if (message != in) { // no store for the same view: the object may share a cache line with the sender
                message = in;
            }
            receiver.onMessage(in.originNanos(), in.type(), in.servicesPassed(), in.length(), this);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            message.getBytes(0, target, 0, length);
        }
    }

    /** Hands what comes out of a partition to the receiver of that partition. Confined to the loop of the partition. */
    private static final class PartitionOutput implements Service {
        private final ChainEnds instance;
        private InstanceOutput output; // null until it starts

        PartitionOutput(ChainEnds instance) {
            this.instance = instance;
        }

        @Override
        public int maxOutputs() {
            return 0;
        }

        @Override
        public void onStart(ServiceContext context) {
            output = new InstanceOutput(instance.receiver(context.partition()));
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            output.onOutput(in);
        }
    }

    /** Sends messages with the payloads and keys of an instance. */
    private static final class PatternSender extends ClaimingSender {
        private final PayloadPattern pattern;
        private final LongToIntFunction keys; // null: messages have none
        private final ByteBuffer key = ByteBuffer.allocate(Integer.BYTES);
        private Entry[] partitions; // null: the chain has none
        private IntUnaryOperator partitioning;
        private byte[] scratch; // null until the first message

        PatternSender(PayloadPattern pattern, LongToIntFunction keys) {
            this.pattern = pattern;
            this.keys = keys;
        }

        /** Sets the entrances of the partitions, and what chooses one by a key. */
        void enterBy(List<Inlet> inlets, IntUnaryOperator choice) {
            partitions = inlets.stream().<Entry>map(inlet -> inlet::tryClaim).toArray(Entry[]::new);
            partitioning = choice;
        }

        /** Returns the key of a message, and turns to its partition. */
        private ByteBuffer key(long number) {
            if (keys == null) {
                return null;
            }
            int drawn = keys.applyAsInt(number);
            if (partitions != null) {
                enterBy(partitions[partitioning.applyAsInt(drawn)]);
            }
            return Keys.write(drawn, key);
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            int length = pattern.length(number);
            Claim opened = claim(length, originNanos, key(number));
            if (opened == null) {
                return false;
            }
            if (length > 0) {
                if (scratch == null) {
                    scratch = pattern.scratch();
                }
                pattern.write(number, scratch, 0);
                opened.putBytes(0, scratch, 0, length);
            }
            opened.type(tag).commit(length);
            return true;
        }
    }
}
