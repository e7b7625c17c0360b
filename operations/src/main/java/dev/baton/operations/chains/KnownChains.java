package dev.baton.operations.chains;

import dev.baton.chains.ChainProvider;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The chains that jars on the class path provide, by name. Immutable, thread-safe. */
public final class KnownChains {

    private final Map<String, ChainProvider> byName;

    private KnownChains(List<ChainProvider> providers) {
        byName = ForeignJars.byName("chain", providers, ChainProvider::name, null);
        if (byName.containsKey(ForwardingChain.NAME)) {
            ChainProvider other = byName.get(ForwardingChain.NAME);
            throw ForeignJars.twice("chain", ForwardingChain.NAME, "Baton's own", other);
        }
    }

    /**
     * Those that {@link java.util.ServiceLoader} finds.
     *
     * @throws CommandException when a jar names a chain that cannot be loaded, or two share a name
     */
    public static KnownChains onClassPath() {
        return new KnownChains(ForeignJars.providers(
                ChainProvider.class,
                "a chain",
                ChainProvider::name,
                Thread.currentThread().getContextClassLoader()));
    }

    /** All of them, by name. */
    List<ChainProvider> all() {
        return List.copyOf(byName.values());
    }

    /** @throws CommandException for a name that is not known; the text lists those that are */
    ChainProvider named(String name) {
        ChainProvider provider = byName.get(name);
        if (provider == null) {
            List<String> known = new ArrayList<>(byName.keySet());
            known.add(0, ForwardingChain.NAME);
            throw CommandException.usage("unknown chain '" + name + "'; known: " + String.join(", ", known)
                    + "; jars with others go into BATON_CLASSPATH");
        }
        return provider;
    }
}
