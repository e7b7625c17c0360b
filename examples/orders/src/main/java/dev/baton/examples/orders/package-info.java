/**
 * The order pipeline, as a jar of its own: {@code ./baton chain --chain orders} measures it, {@code ./baton service --chain
 * orders} runs its services. It needs {@code baton-core} alone. Start with {@link dev.baton.examples.orders.OrdersProvider}.
 */
package dev.baton.examples.orders;
