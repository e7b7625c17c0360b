package dev.baton.lab.launch;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Meeting;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.Spread;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * A trial with all that its launch needs. Immutable, thread-safe.
 *
 * @param plan what to measure; its place names no queue directory and no broker yet
 * @param jvm to measure in
 * @param flags of that JVM
 * @param directoryOption the transport's option that gets a fresh directory; null when it has none, or the user gave it
 * @param brokers of our own that are started for it, and handed over as an option; 0: none
 * @param processes that share the instances; 1 or more
 */
public record PlannedTrial(
        TrialPlan plan, Jvm jvm, List<String> flags, String directoryOption, int brokers, int processes) {
    public PlannedTrial {
        flags = List.copyOf(flags);
        if (processes < 1 || processes > Meeting.MOST_PROCESSES) {
            throw new IllegalArgumentException("processes: " + processes + "; 1 to " + Meeting.MOST_PROCESSES);
        }
    }

    /** In one process. */
    public PlannedTrial(TrialPlan plan, Jvm jvm, List<String> flags, String directoryOption, int brokers) {
        this(plan, jvm, flags, directoryOption, brokers, 1);
    }

    public boolean needsBroker() {
        return brokers > 0;
    }

    /** The same with a process for each service; the trial's own keeps inlet and outlet. */
    public PlannedTrial spread() {
        TrialPlan spread = plan.at(plan.place().spread(new Spread("", List.of())));
        return new PlannedTrial(spread, jvm, flags, directoryOption, brokers, processes);
    }

    /** The same under another name. */
    public PlannedTrial named(String id) {
        return new PlannedTrial(plan.named(id), jvm, flags, directoryOption, brokers, processes);
    }

    /** The same with a question of its own. */
    public PlannedTrial asking(Study question) {
        return new PlannedTrial(plan.asking(question), jvm, flags, directoryOption, brokers, processes);
    }

    /** The same watched in another way; null: as usual. */
    public PlannedTrial watched(Observers observers) {
        return new PlannedTrial(plan.watched(observers), jvm, flags, directoryOption, brokers, processes);
    }

    /**
     * What each process runs: its share of the instances, the first ones with one more when they do not divide.
     *
     * @param meetingDirectory where the processes wait for each other
     */
    List<PlannedTrial> parts(String meetingDirectory) {
        int all = plan.shape().instances();
        int count = Math.min(processes, all);
        List<PlannedTrial> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Shape share = new Shape(
                    plan.shape().services(),
                    all / count + (i < all % count ? 1 : 0),
                    plan.shape().payloadBytes());
            Load load = plan.load();
            TrialPlan part = plan.part(
                    plan.id() + "-p" + (i + 1),
                    share,
                    load.seeded(load.seed() + i),
                    new Place(
                            plan.place().resultDirectory(),
                            plan.place().queueDirectory(),
                            plan.place().brokerPids(),
                            new Meeting(meetingDirectory, count)));
            parts.add(new PlannedTrial(part, jvm, flags, directoryOption, brokers));
        }
        return parts;
    }
}
