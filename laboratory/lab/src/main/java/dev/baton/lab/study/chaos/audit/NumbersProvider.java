package dev.baton.lab.study.chaos.audit;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.chains.ProvidedChain;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.chains.UnlistedChain;
import java.util.Map;
import java.util.TreeMap;

/**
 * The chain of numbered messages, for {@code baton service}: its services forward, except one that sums and one that fails at some
 * messages. Stateless, thread-safe.
 */
public final class NumbersProvider implements UnlistedChain {
    private static final String NAME = "numbers";
    private static final String SERVICES = "services";
    private static final String SUMMING = "summing";
    private static final String FAILING = "failing";
    private static final String SAVING = "saving";

    /**
     * Describes the chain for command lines.
     *
     * @param summing the service that is a {@link SummingService}, counted from 1; 0: none
     * @param failing the service that is a {@link FailingService}, counted from 1; 0: none
     * @param savesState whether the sums are saved in snapshots; otherwise their inputs are held
     */
    public static NamedChain chain(int services, int summing, int failing, boolean savesState) {
        Map<String, Object> options =
                Map.of(SERVICES, services, SUMMING, summing, FAILING, failing, SAVING, savesState);
        TreeMap<String, String> typed = new TreeMap<>();
        options.forEach((key, value) -> typed.put(key, value.toString()));
        return new NamedChain(NAME, typed, null, null);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "numbered messages of fault tests, which are summed";
    }

    @Override
    public ProvidedChain open(Map<String, String> options) {
        int services = Integer.parseInt(options.get(SERVICES));
        int summing = Integer.parseInt(options.get(SUMMING));
        int failing = Integer.parseInt(options.get(FAILING));
        boolean savesState = Boolean.parseBoolean(options.get(SAVING));
        Chain.Builder chain = Chain.named(NAME);
        for (int number = 1; number <= services; number++) {
            String service = ForwardingChain.service(number);
            if (number == failing) {
                chain.then(service, FailingService::new, ErrorPolicy.deadLetter());
            } else {
                chain.then(
                        service,
                        number == summing ? () -> new SummingService(savesState) : ForwardingChain::forwarding);
            }
        }
        return new Numbers(chain.build());
    }

    private record Numbers(Chain chain) implements ProvidedChain {
        @Override
        public int maxPayload() {
            return NumberedMessage.BYTES;
        }
    }
}
