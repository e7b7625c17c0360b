/**
 * The state that a part reads from its open topics: which inputs its outputs already answer, and which inputs a service that
 * holds inputs receives again.
 *
 * <p>Called by {@code cycle} and {@code snapshots} while they create a part. It may use {@code plan}, {@code writing}, {@code chain}
 * and {@code dev.baton.spi}. Not exported.
 */
package dev.baton.engine.recovery;
