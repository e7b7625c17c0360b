/**
 * What a part finds out when its topics are open: which inputs its outputs answer already, and which inputs a service that holds
 * inputs receives again.
 *
 * <p>Called by {@code cycle} while it creates a part. It may use {@code plan}, {@code chain} and {@code dev.baton.spi}. Not
 * exported.
 */
package dev.baton.engine.recovery;
