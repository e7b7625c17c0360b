package dev.baton.simulation.world;

import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.spi.Cause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A service with state between two topics: only its snapshots acknowledge its inputs, and its outputs are those of a run without an
 * interruption. Single-threaded.
 */
final class StateHop extends SimulatedHop {
    private record Due(long payload, long cause) {}

    private final SnapshotLog snapshots;

    StateHop(GuaranteeAccount account, World world, Names names, int index, Setting.Step step) {
        super(account, world, names, index, step);
        this.snapshots = new SnapshotLog(world, names.snapshots());
    }

    @Override
    void appended(SimTopic topic, SimTopic.Entry entry) {
        super.appended(topic, entry);
        if (topic.name.equals(snapshots.name()) && !isTampered()) {
            long output = SnapshotLog.outputOf(entry);
            if (output > newestStoredOutput()) {
                account.violate(
                        Rule.ACKNOWLEDGED_EARLY,
                        topic.name + " frame " + entry.sequence + " ends a snapshot that contains output " + output
                                + ", which is not stored",
                        null);
            }
        }
    }

    private long newestStoredOutput() {
        SimTopic output = world.storage.find(outputName);
        for (int i = output == null ? -1 : Math.min(output.stored, output.log.size()) - 1; i >= 0; i--) {
            SimTopic.Entry entry = output.log.get(i);
            if (!entry.isMarker() && entry.counts) {
                return entry.sequence;
            }
        }
        return 0;
    }

    /** Checks acknowledgements, which may reach the older of the two newest complete snapshots, in its topic as in the input. */
    @Override
    void acknowledged(SimTopic topic, int position) {
        if (isTampered()) {
            return;
        }
        if (topic.name.equals(snapshots.name())) {
            if (newestIn(topic, position, snapshots.releasedEntry()) > 0) {
                account.violate(
                        Rule.ACKNOWLEDGED_EARLY,
                        topic.name + " is acknowledged up to entry " + position + ", needed is all from "
                                + snapshots.releasedEntry(),
                        null);
            }
            return;
        }
        long newest = newestIn(topic, position, 0);
        if (newest > snapshots.releasedInput()) {
            account.violate(
                    Rule.ACKNOWLEDGED_EARLY,
                    "input " + newest + " of s" + index + " is acknowledged, snapshots contain those up to "
                            + snapshots.releasedInput() + " twice",
                    null);
        }
    }

    /** Returns the sequence of the newest frame between two entries; 0 for none. */
    private static long newestIn(SimTopic topic, int end, int begin) {
        for (int i = Math.min(end, topic.log.size()) - 1; i >= begin; i--) {
            SimTopic.Entry entry = topic.log.get(i);
            if (!entry.isMarker() && entry.counts) {
                return entry.sequence;
            }
        }
        return 0;
    }

    @Override
    boolean readsAs(String topic, String consumer) {
        return super.readsAs(topic, consumer) || topic.equals(snapshots.name()) && consumer.equals(this.consumer);
    }

    String snapshots() {
        return snapshots.name();
    }

    /** Alters its newest snapshot. */
    boolean damage() {
        return snapshots.damage();
    }

    @Override
    SimTopic.Entry unanswered() {
        if (step.ticks()) {
            return super.unanswered();
        }
        SimTopic input = world.storage.find(inputName);
        if (input == null || isTampered()) {
            return null;
        }
        SimTopic output = world.storage.find(outputName);
        List<Due> due = due(input.frames());
        int sent = output == null ? 0 : output.frames().size();
        if (sent >= due.size()) {
            return withoutLetter(input);
        }
        long cause = due.get(sent).cause;
        return input.frames().stream()
                .filter(each -> each.sequence == cause)
                .findFirst()
                .orElseThrow();
    }

    /** Returns no timer that follows the last output: it may have begun at the close, which awaits none. */
    @Override
    SimTopic.Entry lost() {
        SimTopic.Entry first = unanswered();
        if (step != Setting.Step.TIMERS || first == null) {
            return first;
        }
        SimTopic output = world.storage.find(outputName);
        long last = output == null
                ? 0
                : output.frames().stream()
                        .mapToLong(each -> Cause.input(each.cause))
                        .max()
                        .orElse(0);
        return first.sequence < last ? first : null;
    }

    @Override
    void check() {
        super.check();
        snapshots.scan();
    }

    /** Returns the first input that failed permanently and has no stored dead letter; null for none. */
    private SimTopic.Entry withoutLetter(SimTopic input) {
        if (!world.setting.writesLetters) {
            return null;
        }
        return input.frames().stream()
                .filter(each -> StatefulSteps.isPoison(world.setting, each.payload) && !isExcused(each.payload))
                .findFirst()
                .orElse(null);
    }

    @Override
    void checkOutputs(List<SimTopic.Entry> inputs, List<SimTopic.Entry> outputs) {
        if (step == Setting.Step.TIMERS) {
            checkTimers(inputs, outputs);
            return;
        }
        List<Due> due = due(inputs);
        for (int i = 0; i < outputs.size(); i++) {
            SimTopic.Entry output = outputs.get(i);
            Due here = new Due(output.payload, Cause.input(output.cause));
            if (i >= due.size() || !due.get(i).equals(here)) {
                boolean isEarlier = due.subList(0, Math.min(i, due.size())).contains(here);
                account.violate(
                        isEarlier ? Rule.REPEATED : due.contains(here) ? Rule.LOST : Rule.DIVERGED,
                        outputName + " frame " + output.sequence + " (" + output.payload + ", cause " + output.cause
                                + ") is not what s" + index + " owes, which is "
                                + (i < due.size() ? due.get(i) : "nothing"),
                        null);
                return;
            }
        }
    }

    /** Checks that no timer was sent more often than it was started. Whether each was sent is checked before. */
    private void checkTimers(List<SimTopic.Entry> inputs, List<SimTopic.Entry> outputs) {
        Map<Long, Integer> started = new HashMap<>();
        inputs.forEach(each -> started.merge(each.payload, 1, Integer::sum));
        for (SimTopic.Entry output : outputs) {
            if (started.merge(output.payload, -1, Integer::sum) < 0) {
                account.violate(
                        Rule.REPEATED,
                        outputName + " frame " + output.sequence + " (" + output.payload + ", cause " + output.cause
                                + ") is of a timer of s" + index + " that was not started so often",
                        null);
                return;
            }
        }
    }

    /** Computes the outputs of one run over all inputs. */
    private List<Due> due(List<SimTopic.Entry> inputs) {
        List<Due> due = new ArrayList<>();
        Keepsake state = new Keepsake();
        Tallies.Model tallies = new Tallies.Model();
        Tallies keyed = new Tallies(tallies, new Tallies.Model());
        for (SimTopic.Entry input : inputs) {
            if (!StatefulSteps.isPoison(world.setting, input.payload)) {
                tallies.now = Math.max(tallies.now, input.sentNanos());
                boolean isKeyed = step == Setting.Step.KEYED_STATE;
                for (long output : isKeyed ? keyed.take(input.payload) : state.take(input.payload)) {
                    due.add(new Due(output, input.sequence));
                }
            }
        }
        return due;
    }
}
