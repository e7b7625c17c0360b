package dev.baton.lab.request;

import java.util.List;
import java.util.Objects;

/**
 * Where a trial's files go, and whose processes it watches beside its own.
 *
 * @param resultDirectory exists; the trial writes {@code <id>.trial.json} and {@code <id>.hlog} into it
 * @param queueDirectory where the transport keeps its files, for the report on the file system; null when it keeps none.
 *     The parent makes it, hands it to the transport as an option, and deletes it
 * @param brokerPids processes on this machine whose CPU and memory are the transport's; empty when there are none
 * @param meeting of the processes that share the trial; null when it has one only
 * @param spread whose services run in processes of their own; null when all run in the trial's
 */
public record Place(
        String resultDirectory, String queueDirectory, List<Long> brokerPids, Meeting meeting, Spread spread) {
    public Place {
        Objects.requireNonNull(resultDirectory, "resultDirectory");
        brokerPids = brokerPids == null ? List.of() : List.copyOf(brokerPids);
    }

    /** Of a trial with a process of its own. */
    public Place(String resultDirectory, String queueDirectory, List<Long> brokerPids) {
        this(resultDirectory, queueDirectory, brokerPids, null, null);
    }

    /** Of one of the processes that share a trial. */
    public Place(String resultDirectory, String queueDirectory, List<Long> brokerPids, Meeting meeting) {
        this(resultDirectory, queueDirectory, brokerPids, meeting, null);
    }

    /** The same with services in processes of their own. */
    public Place spread(Spread services) {
        return new Place(resultDirectory, queueDirectory, brokerPids, meeting, services);
    }
}
