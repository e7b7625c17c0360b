package dev.baton.lab.command;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Opens each transport once in this JVM before anything is measured, so that a value that the third transport refuses is
 * not found out after the first two have run.
 */
public final class Rehearsal {
    /** A port that nothing listens to, for a transport whose broker is yet to come. */
    private static final String NOWHERE = "127.0.0.1:1";

    /**
     * The option of a payload.
     *
     * @param option its name
     * @param header bytes that the option counts in addition
     */
    public record Size(String option, int header) {
        public static final Size PAYLOAD = new Size("--payload", 0);
    }

    private Rehearsal() {}

    /**
     * Opens each transport once.
     *
     * @throws CommandException when one refuses its options, cannot carry the payload, or cannot be reached
     */
    public static void run(List<ChosenTransport> chosen, int payload, Size size, Workspace workspace) {
        for (ChosenTransport each : chosen) {
            if (!ReferenceEngine.isTransport(each.provider())) {
                continue;
            }
            try (Transport transport = each.provider().open(options(each, workspace))) {
                BrokerSource.requirePossible(each);
                if (payload > transport.maxPayload()) {
                    int most = transport.maxPayload();
                    throw CommandException.usage(size.option() + " " + (payload + size.header()) + " is more than "
                            + transport.name() + " carries; " + size.header() + " to " + (most + size.header())
                            + " bytes"
                            + remedy(each, payload));
                }
                if (!each.needsBroker()) {
                    transport.topics();
                }
            } catch (IllegalArgumentException refused) {
                throw CommandException.usage(Trials.named(each.provider().name(), refused.getMessage()), refused);
            } catch (TransportException unreachable) {
                if (!each.needsBroker()) {
                    throw CommandException.environment(
                            Trials.named(each.provider().name(), unreachable.getMessage()), unreachable);
                }
            }
        }
    }

    private static String remedy(ChosenTransport chosen, int payload) {
        String option = chosen.provider().payloadOption();
        return option == null
                ? ""
                : ", or raise the limit with -o " + chosen.provider().name() + "." + option + "=" + payload;
    }

    private static Map<String, String> options(ChosenTransport chosen, Workspace workspace) {
        Map<String, String> options = new TreeMap<>(chosen.options());
        String directory = PlannedTrials.directoryOption(chosen);
        if (directory != null) {
            options.put(
                    directory,
                    workspace.directory("rehearsal/" + chosen.provider().name()).toString());
        }
        if (chosen.needsBroker()) {
            options.put(Subject.BROKERS, NOWHERE);
        }
        return options;
    }
}
