package dev.baton.lab.trial;

import java.util.List;
import java.util.Objects;

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
                .mapToLong(each ->
                        each.receiver().receivedCount() + each.receiver().filteredCount())
                .sum();
    }

    /** Whether every slot was sent and everything that was sent has arrived. */
    boolean isDone() {
        for (Instance each : instances) {
            if (!each.isDone()) {
                return false;
            }
        }
        return true;
    }

    /** What the provider of a chain with messages of its own took to write one, on average; null when none was timed. */
    Double meanWritingNanos() {
        double mean = instances.stream()
                .map(Instance::source)
                .filter(Objects::nonNull)
                .mapToDouble(ProvidedSource::meanNanos)
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
        return Double.isNaN(mean) ? null : Double.valueOf(mean);
    }
}
