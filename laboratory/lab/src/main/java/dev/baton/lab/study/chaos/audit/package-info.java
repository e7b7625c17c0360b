/**
 * The audit of a faulted chain's topics: numbered messages and the services that sum or refuse them, what each topic has to contain, and the account of what it contains.
 * Called by {@link dev.baton.lab.study.chaos} and its storage faults; uses nothing of them.
 */
package dev.baton.lab.study.chaos.audit;
