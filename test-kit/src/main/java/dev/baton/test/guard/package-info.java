/**
 * Guards around the services of a test: they detect messages and outlets that are used outside of their callback, swallowed failures and
 * half-done state. The testers call it; it is internal and not exported. It uses the public API of services.
 */
package dev.baton.test.guard;
