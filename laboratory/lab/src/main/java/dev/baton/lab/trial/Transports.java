package dev.baton.lab.trial;

import dev.baton.lab.protocol.Event.Kind;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import dev.baton.spi.TransportProvider;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds transports on the class path. */
public final class Transports {
    private Transports() {}

    /** All that there are, by name. */
    public static List<TransportProvider> all() {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(TransportProvider::name))
                .toList();
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
        }
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
