package dev.baton.lab.trial;

import dev.baton.lab.protocol.Event.Kind;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import dev.baton.spi.TransportProvider;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Finds transports on the class path. */
public final class Transports {
    private Transports() {}

    /** All that there are, by name. */
    public static List<TransportProvider> all() {
        try {
            return ForeignJars.providers(Thread.currentThread().getContextClassLoader()).stream()
                    .sorted(Comparator.comparing(TransportProvider::name))
                    .toList();
        } catch (CommandException broken) {
            throw new TrialFailure(Kind.ENVIRONMENT, broken.getMessage(), broken);
        }
    }

    /** @throws TrialFailure naming the known ones when there is none of that name */
    public static TransportProvider named(String name) {
        List<TransportProvider> all = all();
        return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow(() -> {
            String known = all.stream().map(TransportProvider::name).collect(Collectors.joining(", "));
            return new TrialFailure(Kind.USAGE, "unknown transport '" + name + "'; known: " + known);
        });
    }

    /** Opens a trial's transport; every refusal becomes a {@link TrialFailure} of the right kind. */
    public static Transport open(PlacedTrial trial) {
        TransportProvider provider = named(trial.subject().transport());
        try {
            return carrying(
                    trial.plan().shape().payloadBytes(),
                    provider.open(trial.subject().options()));
        } catch (IllegalArgumentException refused) {
            throw new TrialFailure(Kind.USAGE, refused.getMessage(), refused);
        } catch (TransportException unavailable) {
            throw new TrialFailure(Kind.ENVIRONMENT, unavailable.getMessage(), unavailable);
        } catch (LinkageError missing) {
            throw new TrialFailure(Kind.ENVIRONMENT, ForeignJars.complaint(missing), missing);
        }
    }

    /** What an open transport promises, and how it is used. */
    public static TransportProperties properties(Transport transport) {
        return new TransportProperties(
                transport.name(),
                transport.guarantees().stream().sorted().map(Guarantee::meaning).toList(),
                new LinkedHashMap<>(transport.properties()));
    }

    private static Transport carrying(int payload, Transport transport) {
        int most = transport.maxPayload();
        if (payload > most) {
            String name = transport.name();
            transport.close();
            throw new TrialFailure(
                    Kind.USAGE,
                    "a payload of " + payload + " bytes; " + name + " carries up to " + most + " as configured");
        }
        return transport;
    }
}
