/**
 * Services whose work completes later, such as calls of an asynchronous client. Authors of services use it with {@link
 * dev.baton.Concurrency}. It may use {@code dev.baton} and {@code codec}.
 */
package dev.baton.async;
