package dev.baton.lab.trial;

import java.util.List;

/** All instances of a trial. The sums may be asked for by any thread at any time. */
record Instances(List<Instance> instances) implements MessageCounts {
    Instances {
        instances = List.copyOf(instances);
    }

    int size() {
        return instances.size();
    }

    @Override
    public long sentCount() {
        return instances.stream()
                .mapToLong(each -> each.generator().sentCount())
                .sum();
    }

    @Override
    public long receivedCount() {
        return instances.stream()
                .mapToLong(each -> each.receiver().receivedCount())
                .sum();
    }

    /** Whether every slot was sent and everything that was sent has arrived. */
    boolean isDone() {
        for (Instance each : instances) {
            if (!each.generator().isDone()
                    || each.receiver().receivedCount() < each.generator().sentCount()) {
                return false;
            }
        }
        return true;
    }
}
