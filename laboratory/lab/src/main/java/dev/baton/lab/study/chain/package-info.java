/** {@code baton chain}: how long messages take through a chain of services. The simplest study, and the model for others. */
package dev.baton.lab.study.chain;
