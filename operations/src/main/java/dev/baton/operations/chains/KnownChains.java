package dev.baton.operations.chains;

import dev.baton.chains.ChainProvider;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The chains that jars on the class path provide, by name. Immutable, thread-safe. */
public final class KnownChains {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    private final Map<String, ChainProvider> byName;

    private KnownChains(List<ChainProvider> providers) {
        for (ChainProvider provider : providers) {
            String name = provider.name();
            if (!NAME.matcher(name).matches()) {
                throw CommandException.environment("the chain '" + name + "' of " + ForeignJars.describe(provider)
                        + " has a name that nobody can type: lower-case letters, digits and hyphens are allowed, 64 at"
                        + " most");
            }
            if (name.equals(ForwardingChain.NAME)) {
                throw ForeignJars.twice("chain", name, "Baton's own", provider);
            }
        }
        byName = ForeignJars.byName("chain", providers, ChainProvider::name);
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
