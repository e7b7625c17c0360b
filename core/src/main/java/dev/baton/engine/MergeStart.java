package dev.baton.engine;

import dev.baton.Deployment.UnreadableFrames;
import dev.baton.ErrorPolicy;
import dev.baton.Merge;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.cycle.MergePart;
import dev.baton.engine.cycle.PendingPart;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.MergedTopic;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The start of a merge, which has no inlet, and whose status has a part for each topic. Confined to one thread at a time. */
public final class MergeStart extends RunStart {
    private static final Set<String> INAPPLICABLE = Set.of(
            "instance",
            "from",
            "fromEach",
            "onOutput",
            "onError",
            "around",
            "only",
            "sendWithin",
            "startAt",
            "consumer",
            "maxHeld",
            "resends",
            "snapshots",
            "partitions",
            "member",
            "sessionTimeout",
            "revokeTimeout",
            "onPartition");

    private final Merge merge;

    public MergeStart(Merge merge, Transport transport, RunSettings settings) {
        super(transport, settings);
        this.merge = merge;
    }

    @Override
    public String name() {
        return merge.name();
    }

    @Override
    public String decidingTopic() {
        return merge.topic();
    }

    @Override
    public boolean writesDecidingTopic() {
        return true;
    }

    @Override
    public String noInlet() {
        return "merge " + merge.name() + " has no inlet: it reads what chains write";
    }

    @Override
    public void check() {
        settings.refuse("merge " + merge.name(), INAPPLICABLE);
        if (settings.unreadable == UnreadableFrames.DEAD_LETTER) {
            throw new IllegalArgumentException(
                    "merge " + merge.name() + " has no dead-letter topics for unreadable frames;"
                            + " use onUnreadable(STOP) or onUnreadable(SKIP)");
        }
        int longest = writers(topic().input(0)).maxPayload();
        if (longest < 0) {
            throw new IllegalArgumentException("a payload of " + transport.maxPayload()
                    + " bytes at most is too short for a merge of "
                    + merge.inputs().size()
                    + " topics, which takes " + (transport.maxPayload() - longest)
                    + "; raise the transport's longest payload");
        }
    }

    @Override
    public ChainRun run(Consumer<? super Throwable> onFailure) {
        CreatedTopics created = new CreatedTopics(transport, List.of());
        try {
            created.create(List.of(merge.topic()));
            return open(onFailure);
        } catch (Throwable failure) {
            created.remove(failure);
            throw failure;
        }
    }

    private ChainRun open(Consumer<? super Throwable> onFailure) {
        ChainState state = new ChainState(merge.name(), onFailure, settings.listener, settings.loops.environment());
        ChainRun running =
                new ChainRun(null, this, state, writers(topic().input(0)), failure -> {}); // no part has state
        Loop loop = settings.loops.nextLoop();
        running.start(() -> List.of(section(loop, state)), List.of(loop));
        return running;
    }

    private MergedTopic topic() {
        return new MergedTopic(merge.topic(), merge.inputs());
    }

    private Section section(Loop loop, ChainState state) {
        MergedTopic merged = topic();
        List<PendingPart> parts = new ArrayList<>();
        for (int i = 0; i < merge.inputs().size(); i++) {
            parts.add(new PendingService(plan(merged.input(i), loop), state));
        }
        int sweeps = transport.guarantees().contains(Guarantee.IMMEDIATE) ? 1 : 2;
        return new Section(
                transport, state, loop, List.of(new MergePart.Pending(merge.name(), merged, parts, state)), sweeps);
    }

    private PartPlan plan(MergedTopic.Input input, Loop loop) {
        return new PartPlan(
                new PartPlan.Place(merge.name(), merge.consumer(), 0, 0),
                new PartPlan.TopicNames(merge.inputs().get(input.index()), merge.topic(), null, null, null),
                MergeStart::pass,
                ErrorPolicy.stop(),
                new PartPlan.Turns(settings.batch, loop, null, List.of()),
                writers(input),
                new PartPlan.Edges(
                        settings.replacedInput,
                        settings.unreadable,
                        1,
                        true,
                        null,
                        StartPosition.stored(),
                        null,
                        false));
    }

    private static void pass(Message in, Outlet out) {
        if (!out.forward(in)) {
            throw new IllegalStateException("the transport refused a claim for which it had room");
        }
    }

    @Override
    public <Q, R> Requests<Q, R> requests(
            RunningChain running, Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen) {
        throw new IllegalStateException(noInlet());
    }

    @Override
    public int maxPayload() {
        return writers(null).maxPayload();
    }

    private WriterFactory writers(MergedTopic.Input input) {
        return new WriterFactory(
                settings.isChecked,
                settings.isDated,
                settings.isTraced,
                transport.maxPayload(),
                "merge of " + String.join(", ", merge.inputs()),
                input);
    }
}
