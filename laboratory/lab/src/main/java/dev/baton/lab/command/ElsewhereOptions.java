package dev.baton.lab.command;

import dev.baton.lab.launch.PlannedTrial.Elsewhere;
import dev.baton.lab.request.Shape;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import java.util.HashSet;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for services that were started separately; inlet and sink run in the trial. */
public final class ElsewhereOptions {
    private static final String ELSEWHERE = "--services-elsewhere";

    private static final int MOST_PROCESSES = 256; // each is asked by a thread of its own

    @Option(
            names = ELSEWHERE,
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "the services already run as 'baton service --http HOST:PORT', on this host or others; inlet and sink run in this process, so that all latencies have one clock (default: this command starts them)")
    private List<String> addresses;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "with " + ELSEWHERE
                    + ", the name of the run of the chain, as set for its services (default: the name of the chain)")
    private String name;

    /** Returns the checked value. @return null when the services run here */
    public Elsewhere elsewhere(List<ChosenTransport> chosen, List<String> engineNames, Shape shape, String processes) {
        if (addresses == null) {
            Checks.require(
                    name == null, "--name is for " + ELSEWHERE + "; services in this process have names of their own");
            return null;
        }
        Checks.require(
                addresses.size() == new HashSet<>(addresses).size()
                        && addresses.stream().noneMatch(String::isBlank),
                ELSEWHERE + " names each process once, as HOST:PORT,HOST:PORT");
        Checks.require(
                addresses.size() <= MOST_PROCESSES,
                ELSEWHERE + ": " + addresses.size() + " processes; 1 to " + MOST_PROCESSES + " can be asked");
        Checks.require(processes == null, ELSEWHERE + ": these processes run already; omit --processes");
        Checks.require(chosen.size() == 1, ELSEWHERE + ": services run over one transport; name it with --transport");
        Checks.require(
                engineNames.equals(List.of(Subject.BATON)), ELSEWHERE + ": the services are Baton's; omit --engine");
        Checks.require(shape.partitions() == 1, ELSEWHERE + ": --partitions run in one process; omit one of them");
        Checks.require(shape.services() >= 1, ELSEWHERE + ": a chain without services has none elsewhere");
        ChosenTransport transport = chosen.get(0);
        String transportName = transport.provider().name();
        Checks.require(
                transport.promises(Guarantee.CROSS_PROCESS),
                ELSEWHERE + ": " + transportName
                        + " cannot run a chain in several processes; chronicle, kafka, aeron-archive, and aeron with"
                        + " -o driver=DIR can");
        Checks.require(
                transport.brokers() == 0,
                ELSEWHERE + ": --bootstrap-servers is needed, the brokers that the services use");
        Checks.require(
                !TransportSettings.has(transport.provider(), Subject.DIRECTORY)
                        || transport.options().containsKey(Subject.DIRECTORY),
                ELSEWHERE + ": -o " + Subject.DIRECTORY + "=DIR is needed, the --dir of the services");
        String own =
                shape.chain() == null ? ForwardingChain.NAME : shape.chain().name();
        return new Elsewhere(name == null ? own : name, addresses);
    }
}
