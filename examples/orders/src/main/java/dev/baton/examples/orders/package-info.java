/**
 * The order pipeline, in a separate jar: {@code ./baton chain --chain orders} measures it, {@code ./baton service --chain orders} runs its
 * services. It needs only {@code baton-core}. Start with {@link dev.baton.examples.orders.OrdersProvider}.
 */
package dev.baton.examples.orders;
