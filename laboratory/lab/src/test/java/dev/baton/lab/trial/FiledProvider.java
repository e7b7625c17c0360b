package dev.baton.lab.trial;

import dev.baton.chronicle.ChronicleProvider;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A durable transport that the laboratory does not know: it keeps topics in files at a place that is typed, as a server keeps
 * them that is running already. Stateless.
 */
public final class FiledProvider implements TransportProvider {
    /** The name of the transport. */
    public static final String NAME = "filed";

    private final TransportProvider files = new ChronicleProvider();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "files, for tests";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return files.guarantees();
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return files.jvmFlags(featureVersion);
    }

    @Override
    public List<OptionSpec> options() {
        return List.of(new OptionSpec("place", "", "a directory", "where the files are"));
    }

    @Override
    public Transport open(Map<String, String> given) {
        return files.open(Map.of("dir", new Options(name(), options(), given).text("place")));
    }
}
