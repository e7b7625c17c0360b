package dev.baton.lab.study.density;

/**
 * The cost of chains on a machine that is paid as a whole, with its idle cores. Immutable, thread-safe.
 *
 * @param chains that the machine carries, 1 or more
 * @param cores of the machine, or of the part of it that the chains and their brokers may use
 */
public record ChainCost(int chains, int cores) {
    public ChainCost {
        if (chains < 1 || cores < 1) {
            throw new IllegalArgumentException(chains + " chains on " + cores + " cores; one of each is the least");
        }
    }

    public double chainsPerCore() {
        return chains / (double) cores;
    }

    /** {@return the cost by the definition of the published study: one machine over the number of chains} */
    public double normalised() {
        return 1.0 / chains;
    }

    /** {@return the cost relative to the most expensive contender, which has the fewest chains for each core} */
    public double relativeTo(ChainCost dearest) {
        return dearest.chainsPerCore() / chainsPerCore();
    }

    /**
     * {@return the price of this number of chains for an hour}
     *
     * @param coreHour price of one core for an hour
     */
    public double perHour(int ofChains, double coreHour) {
        return ofChains * coreHour / chainsPerCore();
    }
}
