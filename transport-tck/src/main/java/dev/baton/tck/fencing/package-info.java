/**
 * Contract classes on two processes that write one topic or read as one consumer, where a transport fences the older one in
 * place of refusing the newer one. Transports extend those that apply to their guarantees. They use {@link dev.baton.tck} and {@link
 * dev.baton.tck.chain}.
 */
package dev.baton.tck.fencing;
